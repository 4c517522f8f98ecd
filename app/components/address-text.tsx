import { Fragment } from "react";

/** An e-mail address, or that of a page, which breaks after its dots, before its host and in its path, if it must. */
export function AddressText({ address }: { address: string }) {
  return address.split(/(?<=[.@]|[^/:]\/)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
