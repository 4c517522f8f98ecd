import type { Services } from "../server/services.ts";

/**
 * Services of a worker that another overtakes: while its first document is rendered the other one does the whole, and then
 * each of its own documents comes out as other bytes.
 */
export function overtaken(services: Services, other: () => Promise<void>): Services {
  const { documents } = services;
  let done: Promise<void> | undefined;
  const render: typeof documents.render = async () => {
    await (done ??= other());
    return Buffer.from("%PDF-1.7, of the slower one");
  };
  return { ...services, documents: { ...documents, render } };
}
