import { brand, type BrandTexts, shippedBrand } from "./brand.ts";

const written = ({ offices }: BrandTexts) => offices.flatMap(({ title, lines }) => [title, ...lines]).join("\n");

/** Whether the offices are still those of the sample company: only then does the site show its drawings and map. */
export const hasShippedOffices = () => written(brand) === written(shippedBrand);
