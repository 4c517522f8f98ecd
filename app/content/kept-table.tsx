interface KeptRow {
  what: string;
  purpose: string;
  kept: string;
  endedBy?: string;
  because: string;
}

/** Kinds of data with how long they stay; wide ones scroll within their frame. */
export function KeptTable({ label, rows }: { label: string; rows: readonly KeptRow[] }) {
  return (
    <div role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Data</th>
            <th scope="col">What for</th>
            <th scope="col">Until when, and why so long</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ what, purpose, kept, endedBy, because }) => (
            <tr key={what}>
              <th scope="row">{what}</th>
              <td>{purpose}</td>
              <td>
                <strong>{kept}.</strong> {endedBy && `${endedBy}. `}
                {because}.
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
