import type { Services } from "../server/services.ts";

/**
 * The services of a worker that another one overtakes: while the first document is rendered, the other does the whole
 * job; each of this worker's documents then has different bytes.
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
