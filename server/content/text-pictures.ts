import { pictureAddress, pictureForms, pictureWidths } from "../../contract/post-states.ts";

/** As the sanitising writes an uploaded image; its size is there. */
const image =
  /<img src="\/images\/articles\/([\da-f-]{36})-1440\.webp" alt="[^"]*" width="(\d+)" height="\d+" loading="lazy" \/>/g;

/** The width of a text on the page. */
const sizes = "(max-width: 60rem) calc(100vw - 2rem), 56rem";

/** Sanitised HTML whose uploaded images come in the form and width that suit the screen. */
export const withPictures = (html: string): string =>
  html.replace(image, (whole, id: string, width: string) => {
    const sources = pictureForms.map(
      (form) => `<source type="image/${form}" sizes="${sizes}" srcset="${setOf(id, Number(width), form)}" />`,
    );
    return `<picture>${sources.join("")}${whole}</picture>`;
  });

/** A file is as wide as it is called, or as the image where that is narrower: of these one is enough. */
function setOf(id: string, width: number, form: (typeof pictureForms)[number]): string {
  const needed = pictureWidths.filter((_, index) => index === 0 || (pictureWidths[index - 1] ?? 0) < width);
  return needed.map((each) => `${pictureAddress(id, each, form)} ${Math.min(each, width)}w`).join(", ");
}
