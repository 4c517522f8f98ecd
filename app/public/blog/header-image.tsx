import type { ImgHTMLAttributes } from "react";
import { pictureAddress, pictureForms, pictureIdOf, pictureWidths } from "../../../contract/post-states.ts";

/** A header image in the format and width that suits the screen; the shipped ones are drawings, which fit any width. */
export function HeaderImage({
  address,
  alt,
  sizes,
  className,
  ...more
}: { address: string; alt: string; sizes: string; className: string | undefined } & Pick<
  ImgHTMLAttributes<HTMLImageElement>,
  "fetchPriority" | "loading" | "decoding"
>) {
  const id = pictureIdOf(address);
  const image = <img className={className} src={address} alt={alt} width={1200} height={480} {...more} />;
  if (!id) return image;
  return (
    <picture>
      {pictureForms.map((form) => (
        <source
          key={form}
          type={`image/${form}`}
          sizes={sizes}
          srcSet={pictureWidths.map((width) => `${pictureAddress(id, width, form)} ${width}w`).join(", ")}
        />
      ))}
      {image}
    </picture>
  );
}
