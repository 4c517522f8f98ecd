import { Fragment } from "react";

/** An e-mail address that breaks after its dots and before its host, if it must. */
export function EmailAddress({ address }: { address: string }) {
  return address.split(/(?<=[.@])/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
