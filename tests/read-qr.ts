import { decodeQR } from "qr/decode.js";
import { getDocumentProxy, getResolvedPDFJS } from "unpdf";

/** Pixels per unit of the drawing. */
const scale = 4;

/** The content of a PDF's QR code: draws its rectangles at their places and decodes the image. */
export async function readQr(bytes: Uint8Array): Promise<string> {
  const boxes = await rectanglesOf(bytes);
  const [left, top, right, bottom] = [
    Math.min(...boxes.map(([x]) => x)),
    Math.min(...boxes.map(([, y]) => y)),
    Math.max(...boxes.map(([x, , width]) => x + width)),
    Math.max(...boxes.map(([, y, , height]) => y + height)),
  ];
  const quiet = 4;
  const size = Math.round((Math.max(right - left, bottom - top) + 2 * quiet) * scale);
  const data = new Uint8Array(size * size * 4).fill(255);
  const pixel = (unit: number, from: number) => Math.round((unit - from + quiet) * scale);
  for (const [x, y, width, height] of boxes)
    for (let row = pixel(y, top); row < pixel(y + height, top); row++)
      for (let column = pixel(x, left); column < pixel(x + width, left); column++)
        data.fill(0, (row * size + column) * 4, (row * size + column) * 4 + 3);
  return decodeQR({ width: size, height: size, data });
}

type Box = [x: number, y: number, width: number, height: number];

/** The rectangles of the path with the most of them. */
async function rectanglesOf(bytes: Uint8Array): Promise<Box[]> {
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const pages = Array.from({ length: document.numPages }, (_, index) => pathsOf(document, index + 1));
  const [code = []] = (await Promise.all(pages)).flat().toSorted((one, other) => other.length - one.length);
  return code.map((points) => {
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
    const [x, y] = [Math.min(...xs), Math.min(...ys)];
    return [x, y, Math.max(...xs) - x, Math.max(...ys) - y];
  });
}

async function pathsOf(document: Awaited<ReturnType<typeof getDocumentProxy>>, pageNumber: number) {
  const { OPS } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await (await document.getPage(pageNumber)).getOperatorList();
  return fnArray.flatMap((operator, index) =>
    operator === OPS.constructPath
      ? [subpathsOf([...((argsArray[index] as [unknown, [Float32Array]])[1][0] ?? [])])]
      : [],
  );
}

/**
 * pdf.js writes a path as numbers: 0 moves, 1 draws a line, 2 and 3 curves, 4 closes; all but the last are followed by
 * their points.
 */
function subpathsOf(path: number[]): [x: number, y: number][][] {
  const coordinates = [2, 2, 6, 4, 0];
  const subpaths: [number, number][][] = [];
  for (let at = 0; at < path.length;) {
    const command = path[at] ?? 4;
    const point: [number, number] = [path[at + 1] ?? 0, path[at + 2] ?? 0];
    if (command === 0) subpaths.push([point]);
    else if (command === 1) subpaths.at(-1)?.push(point);
    at += 1 + (coordinates[command] ?? 0);
  }
  return subpaths.filter((points) => points.length >= 4);
}
