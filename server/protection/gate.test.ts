import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type GateLimits, openGates, openSharedGate } from "./gate.ts";

/** Work that ends when told to, and records the order in which it began. */
function pieceOfWork(begun: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return {
    do: () => {
      begun.push(name);
      return promise;
    },
    end: () => resolve(name),
    fail: () => reject(new Error(name)),
  };
}

/** A gate that all callers share. */
function openGate(limits: GateLimits) {
  const shared = openSharedGate<never>(limits, {});
  return Object.assign(<Result>(work: () => Promise<Result>) => shared({}, work), { use: shared.use });
}

describe("a gate", () => {
  it("does so much at once, and the rest in the order in which it came", async () => {
    const pass = openGate({ atOnce: 2, waiting: 10, waitMs: 5000 });
    const begun: string[] = [];
    const works = ["a", "b", "c", "d"].map((name) => pieceOfWork(begun, name));
    const ends = works.map((work) => pass(work.do));
    await sleep(0);
    expect(begun).toEqual(["a", "b"]);
    works[1]?.end();
    await sleep(0);
    expect(begun).toEqual(["a", "b", "c"]);
    for (const work of works) work.end();
    expect(await Promise.all(ends)).toEqual(["a", "b", "c", "d"]);
  });

  it("gives the turn on when the work fails", async () => {
    const pass = openGate({ atOnce: 1, waiting: 10, waitMs: 5000 });
    const begun: string[] = [];
    const [first, second] = [pieceOfWork(begun, "first"), pieceOfWork(begun, "second")];
    const failing = pass(first.do);
    const following = pass(second.do);
    first.fail();
    second.end();
    await expect(failing).rejects.toThrow("first");
    expect(await following).toBe("second");
  });

  it("turns away who has waited too long, and who finds no room to wait", async () => {
    const pass = openGate({ atOnce: 1, waiting: 1, waitMs: 20 });
    const begun: string[] = [];
    const [inside, late, crowded] = ["inside", "late", "crowded"].map((name) => pieceOfWork(begun, name));
    const held = pass(inside?.do ?? Promise.reject);
    const refusals = [late, crowded].map((work) => pass(work?.do ?? Promise.reject));
    expect(pass.use()).toMatchObject({ inside: 1, waiting: 1 });
    for (const refusal of refusals) await expect(refusal).rejects.toMatchObject({ code: "overloaded" });
    expect(pass.use()).toEqual({ inside: 1, waiting: 0, refused: 2 });
    inside?.end();
    await held;
    expect(begun).toEqual(["inside"]);
  });

  it("keeps all its places, however many waited too long", async () => {
    const pass = openGate({ atOnce: 3, waiting: 50, waitMs: 1 });
    await Promise.allSettled(Array.from({ length: 500 }, (_, number) => pass(() => sleep(number % 4))));
    const begun: string[] = [];
    const works = ["a", "b", "c", "d"].map((name) => pieceOfWork(begun, name));
    const ends = works.slice(0, 3).map((work) => pass(work.do));
    await sleep(0);
    expect(begun).toEqual(["a", "b", "c"]);
    for (const work of works) work.end();
    await Promise.all(ends);
  });
});

describe("a gate that several share", () => {
  it("lets others in where one alone already does as much as one may", async () => {
    const pass = openSharedGate(
      { atOnce: 3, waiting: 10, waitMs: 5000 },
      { person: { atOnce: 2, waiting: 10, waitMs: 5000 } },
    );
    const begun: string[] = [];
    const [first, second, third] = ["a1", "a2", "a3"].map((name) => pieceOfWork(begun, name));
    const other = pieceOfWork(begun, "b1");
    const ends = [first, second, third].map((work) => pass({ person: "a" }, work?.do ?? Promise.reject));
    ends.push(pass({ person: "b" }, other.do));
    await sleep(0);
    expect(begun).toEqual(["a1", "a2", "b1"]);
    expect(pass.use()).toEqual({ inside: 3, waiting: 1, refused: 0 });
    first?.end();
    await sleep(0);
    expect(begun).toEqual(["a1", "a2", "b1", "a3"]);
    for (const work of [second, third, other]) work?.end();
    expect(await Promise.all(ends)).toEqual(["a1", "a2", "a3", "b1"]);
    expect(pass.use()).toEqual({ inside: 0, waiting: 0, refused: 0 });
  });

  it("leaves places to others, however many accounts one organisation has", async () => {
    const each = (atOnce: number) => ({ atOnce, waiting: 10, waitMs: 5000 });
    const pass = openSharedGate(each(6), { person: each(2), organisation: each(3) });
    const begun: string[] = [];
    const works = ["a1", "a2", "b1", "c1", "d1"].map((name) => pieceOfWork(begun, name));
    const ends = works.map((work, index) =>
      pass({ person: String(index), organisation: index < 4 ? "one" : "other" }, work.do),
    );
    await sleep(0);
    expect(begun).toEqual(["a1", "a2", "b1", "d1"]);
    for (const work of works) work.end();
    await Promise.all(ends);
    expect(pass.use()).toEqual({ inside: 0, waiting: 0, refused: 0 });
  });

  it("gives nobody a place who waits for another one", async () => {
    const each = (atOnce: number) => ({ atOnce, waiting: 10, waitMs: 5000 });
    const pass = openSharedGate(each(7), { person: each(2), organisation: each(3), network: each(3) });
    const begun: string[] = [];
    const ends: { work: ReturnType<typeof pieceOfWork>; passed: Promise<string> }[] = [];
    const send = (organisation: string, network: string) => {
      const work = pieceOfWork(begun, `${organisation} in ${network}`);
      ends.push({ work, passed: pass({ person: String(ends.length), organisation, network }, work.do) });
    };
    for (let count = 0; count < 3; count++) send("one", "full");
    // These wait for their network, the next three for their organisation.
    for (let count = 0; count < 3; count++) send("two", "full");
    for (let count = 0; count < 3; count++) send("one", "free");
    send("two", "elsewhere");
    send("three", "free");
    await sleep(0);
    expect(begun).toEqual(["one in full", "one in full", "one in full", "two in elsewhere", "three in free"]);
    expect(pass.use()).toEqual({ inside: 5, waiting: 6, refused: 0 });
    for (const { work } of ends) work.end();
    await Promise.all(ends.map(({ passed }) => passed));
    expect([begun.length, pass.use()]).toEqual([11, { inside: 0, waiting: 0, refused: 0 }]);
  });

  it("lets nobody in beside those who are inside, as somebody is turned away", async () => {
    const one = { atOnce: 1, waiting: 0, waitMs: 5000 };
    const pass = openSharedGate({ atOnce: 3, waiting: 10, waitMs: 5000 }, { person: one });
    const begun: string[] = [];
    const [first, second] = [pieceOfWork(begun, "first"), pieceOfWork(begun, "second")];
    const before = pass({ person: "a" }, first.do);
    const crowded = pass({ person: "a" }, () => Promise.resolve());
    first.end();
    await before;
    const inside = pass({ person: "a" }, second.do);
    await expect(crowded).rejects.toMatchObject({ code: "overloaded" });
    await expect(pass({ person: "a" }, () => Promise.resolve())).rejects.toMatchObject({ code: "overloaded" });
    second.end();
    expect(await inside).toBe("second");
  });

  it("for uploads has a place left beside two organisations in two networks", async () => {
    const { upload } = openGates();
    const begun: string[] = [];
    const works = Array.from({ length: 9 }, (_, index) => pieceOfWork(begun, index < 8 ? "theirs" : "another"));
    const ends = works.map((work, index) => {
      const theirs = `${index % 2}`;
      const where = index < 8 ? theirs : "another";
      return upload({ person: String(index), organisation: where, network: where }, work.do);
    });
    await sleep(0);
    expect(begun).toContain("another");
    for (const work of works) work.end();
    await Promise.all(ends);
  });

  it("lets those who wait take turns by organisation, and the people of one take turns there", async () => {
    const each = (waiting: number) => ({ atOnce: 1, waiting, waitMs: 5000 });
    const pass = openSharedGate(each(20), { person: each(10), organisation: each(10) });
    const begun: string[] = [];
    const asked = ["a1 of a", "a1 of a", "a1 of a", "a1 of a", "a2 of a", "b1 of b", "b1 of b", "c1 of c"];
    const ends = asked.map((name) => {
      const [person = "", organisation = ""] = name.split(" of ");
      return pass({ person, organisation }, async () => {
        begun.push(name);
        await sleep(0);
      });
    });
    await Promise.all(ends);
    const later = ["a1 of a", "b1 of b", "c1 of c", "a2 of a", "b1 of b", "a1 of a", "a1 of a"];
    expect(begun).toEqual(["a1 of a", ...later]);
    expect(pass.use()).toEqual({ inside: 0, waiting: 0, refused: 0 });
  });

  it.each(["signIn", "visitor", "signedIn", "heavy", "palette"] as const)(
    "for %s calls gives one alone all places, and leaves others room to wait and the next turn",
    async (name) => {
      const gate = openGates()[name];
      const begun: string[] = [];
      const inside = pieceOfWork(begun, "theirs");
      const of = (who: string) => ({ person: who, organisation: who, network: who });
      const theirs = Array.from({ length: 2100 }, () => gate(of("a"), inside.do));
      const places = begun.length;
      const others = ["b", "c"].map((who) => gate(of(who), () => Promise.resolve(begun.push(who))));
      expect(gate.use().inside).toBe(places);
      inside.end();
      await Promise.all(others);
      expect(begun.slice(0, places)).toEqual(Array.from({ length: places }, () => "theirs"));
      expect(begun.slice(places, places + 4).toSorted()).toEqual(["b", "c", "theirs", "theirs"].slice(0, 4).toSorted());
      const answers = await Promise.allSettled(theirs);
      expect(answers.filter(({ status }) => status === "rejected").length).toBe(gate.use().refused);
    },
  );

  it("turns away who waits too long for their own", async () => {
    const pass = openSharedGate(
      { atOnce: 3, waiting: 10, waitMs: 5000 },
      { person: { atOnce: 1, waiting: 1, waitMs: 20 } },
    );
    const begun: string[] = [];
    const [inside, late] = ["inside", "late"].map((name) => pieceOfWork(begun, name));
    const held = pass({ person: "a" }, inside?.do ?? Promise.reject);
    await expect(pass({ person: "a" }, late?.do ?? Promise.reject)).rejects.toMatchObject({ code: "overloaded" });
    expect(pass.use()).toEqual({ inside: 1, waiting: 0, refused: 1 });
    inside?.end();
    await held;
    expect(begun).toEqual(["inside"]);
  });
});
