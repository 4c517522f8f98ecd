import { verify } from "@node-rs/argon2";
import { availableParallelism } from "node:os";

/** The machine's upper bound: argon2id on all its cores and nothing else, in a process of its own. */
const [passwordHash = "", password = "", seconds] = process.argv.slice(2);

process.on("message", () => void hashForAWhile());
process.once("disconnect", () => process.exit(0));

async function hashForAWhile(): Promise<void> {
  const began = performance.now();
  let done = 0;
  const hashInTurn = async () => {
    while (performance.now() - began < Number(seconds) * 1000) {
      await verify(passwordHash, password);
      done++;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, hashInTurn));
  process.send?.(done / ((performance.now() - began) / 1000));
}
