/** An e-mail address that breaks before its host, if it must. */
export function EmailAddress({ address }: { address: string }) {
  const host = address.lastIndexOf("@") + 1;
  return (
    <>
      {address.slice(0, host)}
      <wbr />
      {address.slice(host)}
    </>
  );
}
