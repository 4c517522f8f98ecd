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

/**
 * A phone number, kept on one line. An Indian one shows its groups by margins instead of typed spaces, so that it is
 * copied and found as it is stored.
 */
export const PhoneNumber = ({ number }: { number: string }) => (
  <span style={{ whiteSpace: "nowrap" }}>
    {(/^(\+91)(\d{5})(\d{5})$/.exec(number)?.slice(1) ?? [number]).map((part, index) => (
      <span key={index} style={{ marginInlineStart: index > 0 ? "0.25em" : 0 }}>
        {part}
      </span>
    ))}
  </span>
);
