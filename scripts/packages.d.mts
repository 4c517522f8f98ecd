type Extent = "run" | "site" | "tests";
type RunNpm = (args: string[]) => void | Promise<void>;
interface Locked {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

export function packagesFor(locked: Record<string, Locked>, extent: Extent): Set<string>;
export function resolvePackage(locked: Record<string, Locked>, from: string, name: string): string | null;
export function install(extent: Extent, runNpm: RunNpm): Promise<void>;
export function withSitePackages(act: () => void | Promise<void>, runNpm: RunNpm): Promise<void>;
