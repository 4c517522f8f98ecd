import type { KeptData } from "../../contract/retention.ts";

/** A table of data with how long each is kept; a wide one scrolls in its frame. */
export function KeptTable({ label, rows }: { label: string; rows: readonly (KeptData & { kept: string })[] }) {
  return (
    <div role="region" aria-label={label} tabIndex={0}>
      <table aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Data</th>
            <th scope="col">What for</th>
            <th scope="col">How long, and why so long</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ what, purpose, kept, because }) => (
            <tr key={what}>
              <th scope="row">{what}</th>
              <td data-column="What for">{purpose}</td>
              <td data-column="How long, and why so long">
                <strong>{kept}.</strong> {because}.
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
