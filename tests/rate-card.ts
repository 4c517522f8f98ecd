import type { RateCardContent } from "../contract/rates.ts";
import type { TestServer } from "./harness.ts";
import type { Member } from "./people.ts";

type Admin = Pick<Member, "token">;
type Group = RateCardContent["groups"][number];
type RatedType = Group["types"][number];

/** The card that would be edited now: the draft, or the latest card without one. */
export async function edited(server: Pick<TestServer, "call">, { token }: Admin) {
  const { draft, latest } = (await server.call("admin/rates", {}, token)).body;
  return draft ?? latest;
}

/** Saves the changed latest card as the draft and publishes it. Answers the response to publishing. */
export async function publishCard(
  server: Pick<TestServer, "call">,
  admin: Admin,
  change: (content: RateCardContent) => RateCardContent,
  from: string | null = null,
) {
  const { id, content } = await edited(server, admin);
  const saved = await server.call("admin/rates/save-draft", { id, content: change(content) }, admin.token);
  if (saved.status !== 200) return saved;
  const draft = await edited(server, admin);
  return server.call("admin/rates/publish", { id: draft.id, from }, admin.token);
}

/** The card with this type changed. */
export const withType =
  (name: string, change: Partial<RatedType>) =>
  (content: RateCardContent): RateCardContent => ({
    ...content,
    groups: content.groups.map((group) => ({
      ...group,
      types: group.types.map((type) => (type.name === name ? { ...type, ...change } : type)),
    })),
  });

/** The card with a new type at the end of a group, which is created if missing. */
export const withNewType =
  (group: string, name: string, yearly = "120000.00") =>
  (content: RateCardContent): RateCardContent =>
    intoGroup(content, group, { key: null, name, unit: "device", yearly, retired: false });

/** The card with a type moved to the end of another group. */
export const withMovedType =
  (name: string, to: string) =>
  (content: RateCardContent): RateCardContent => {
    const type = content.groups.flatMap(({ types }) => types).find((each) => each.name === name);
    if (!type) throw new Error(`There is no ${name}`);
    const groups = content.groups.map((group) => ({
      ...group,
      types: group.types.filter((each) => each !== type),
    }));
    return intoGroup({ ...content, groups: groups.filter(({ types }) => types.length > 0) }, to, type);
  };

function intoGroup(content: RateCardContent, name: string, type: RatedType): RateCardContent {
  const isThere = content.groups.some((group) => group.name === name);
  const groups = isThere ? content.groups : [...content.groups, { name, types: [] }];
  return {
    ...content,
    groups: groups.map((group) => (group.name === name ? { ...group, types: [...group.types, type] } : group)),
  };
}
