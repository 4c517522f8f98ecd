/** A file's bytes as base64: the server detects its text encoding. */
export async function asBase64(file: File): Promise<string> {
  const address = await new Promise<string>((done, fail) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => done(typeof reader.result === "string" ? reader.result : ""));
    reader.addEventListener("error", () => fail(new Error("The file can't be read. Please choose it again.")));
    reader.readAsDataURL(file);
  });
  return address.slice(address.indexOf(",") + 1);
}
