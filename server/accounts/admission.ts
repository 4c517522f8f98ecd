import { Failure } from "../errors.ts";

const insideMax = 100;
let inside = 0;

/**
 * Does work that ends in password hashing, for so many at once. More are turned away at the door,
 * before they take a database connection, so that the rest of the product stays quick.
 * @throws Failure overloaded
 */
export async function admitted<Result>(work: () => Promise<Result>): Promise<Result> {
  if (inside >= insideMax)
    throw new Failure("overloaded", "Too many people are signing in. Please try again in a few seconds.", {
      retryAfterSeconds: 5,
    });
  inside++;
  try {
    return await work();
  } finally {
    inside--;
  }
}
