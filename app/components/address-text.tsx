import { Fragment } from "react";

/** An e-mail or web address that can break after its dots, before its host and within its path. */
export function AddressText({ address }: { address: string }) {
  return address.split(/(?<=[.@]|[^/:]\/)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
