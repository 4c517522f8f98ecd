import { brand, type BrandTexts, shippedBrand } from "./brand.ts";

const written = ({ offices }: BrandTexts) => offices.flatMap(({ title, lines }) => [title, ...lines]).join("\n");

/** Whether the offices are still those of the sample company: the drawings and the map of the site show them and no others. */
export const hasShippedOffices = () => written(brand) === written(shippedBrand);
