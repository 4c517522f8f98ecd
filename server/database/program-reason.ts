/**
 * Why a program of PostgreSQL failed: its first error, since those that follow may come of it, and its last line says
 * what it has tidied up.
 */
export function reasonOf(error: unknown): string {
  const lines = String((error as { stderr?: Buffer }).stderr ?? error)
    .trim()
    .split("\n");
  return lines.find((line) => /(FATAL|PANIC|error): /.test(line)) ?? lines.at(-1) ?? "";
}
