/**
 * A queue of waiters in a tree of owners, outermost first: at each level owners take turns, and each owner's waiters
 * come in order.
 */
export interface Turns<Waiter> {
  add(path: readonly string[], waiter: Waiter): void;
  remove(path: readonly string[], waiter: Waiter): void;
  /** Removes and returns the next waiter that may go. */
  take(mayGo: (waiter: Waiter) => boolean): Waiter | undefined;
}

interface Branch<Waiter> {
  branches: Map<string, Branch<Waiter>>;
  waiters: Set<Waiter>;
}

export function openTurns<Waiter>(): Turns<Waiter> {
  const trunk = emptyBranch<Waiter>();
  return {
    add(path, waiter) {
      let branch = trunk;
      for (const name of path) {
        const inner = branch.branches.get(name) ?? emptyBranch<Waiter>();
        branch.branches.set(name, inner);
        branch = inner;
      }
      branch.waiters.add(waiter);
    },
    remove: (path, waiter) => removeFrom(trunk, path, 0, waiter),
    take: (mayGo) => takeFrom(trunk, mayGo),
  };
}

const emptyBranch = <Waiter>(): Branch<Waiter> => ({ branches: new Map(), waiters: new Set() });

const isEmpty = ({ branches, waiters }: Branch<unknown>) => branches.size + waiters.size === 0;

function removeFrom<Waiter>(branch: Branch<Waiter>, path: readonly string[], depth: number, waiter: Waiter): void {
  const name = path[depth];
  const inner = name === undefined ? undefined : branch.branches.get(name);
  if (name === undefined || !inner) {
    branch.waiters.delete(waiter);
    return;
  }
  removeFrom(inner, path, depth + 1, waiter);
  if (isEmpty(inner)) branch.branches.delete(name);
}

function takeFrom<Waiter>(branch: Branch<Waiter>, mayGo: (waiter: Waiter) => boolean): Waiter | undefined {
  for (const waiter of branch.waiters) {
    if (!mayGo(waiter)) continue;
    branch.waiters.delete(waiter);
    return waiter;
  }
  for (const [name, inner] of branch.branches) {
    const taken = takeFrom(inner, mayGo);
    if (taken === undefined) continue;
    // Moves this owner behind all others, whose turn is next.
    branch.branches.delete(name);
    if (!isEmpty(inner)) branch.branches.set(name, inner);
    return taken;
  }
  return undefined;
}
