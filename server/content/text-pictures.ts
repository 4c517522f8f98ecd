import { pictureAddress, pictureForms, pictureWidths } from "../../contract/post-states.ts";

/** An uploaded image exactly as `sanitise` writes it, with its size. */
const image =
  /<img src="\/images\/articles\/([\da-f-]{36})-1440\.webp" alt="[^"]*" width="(\d+)" height="\d+" loading="lazy" \/>/g;

/** The width of the text column on the page. */
const sizes = "(max-width: 60rem) calc(100vw - 2rem), 56rem";

/** Sanitised HTML with uploaded images offered in several formats and widths, from which the browser chooses. */
export const withPictures = (html: string): string =>
  html.replace(image, (whole, id: string, width: string) => {
    const sources = pictureForms.map(
      (form) => `<source type="image/${form}" sizes="${sizes}" srcset="${setOf(id, Number(width), form)}" />`,
    );
    return `<picture>${sources.join("")}${whole}</picture>`;
  });

/** A file is as wide as its name says, or as the image if that is narrower: of several such files one is enough. */
function setOf(id: string, width: number, form: (typeof pictureForms)[number]): string {
  const needed = pictureWidths.filter((_, index) => index === 0 || (pictureWidths[index - 1] ?? 0) < width);
  return needed.map((each) => `${pictureAddress(id, each, form)} ${Math.min(each, width)}w`).join(", ");
}
