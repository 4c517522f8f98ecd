import { z } from "zod";
import { Message } from "./fields.ts";
import { operation } from "./operation.ts";
import { mailKinds, type MailChoice } from "./mail-kinds.ts";

export type { MailChoice } from "./mail-kinds.ts";

const optional = Object.keys(mailKinds).filter((kind) => mailKinds[kind as keyof typeof mailKinds].canBeTurnedOff);

export const MailKind = z.object({
  kind: z.string(),
  name: z.string(),
  /** What these mails are about, and if they can't be turned off, why. */
  about: z.string(),
  can_be_turned_off: z.boolean(),
  wanted: z.boolean(),
});
export type MailKind = z.infer<typeof MailKind>;

export const mailChoiceOperations = {
  "notices/choices": operation({
    method: "get",
    summary: "Which kinds of mail there are for one's role, and which of them one gets",
    input: z.object({}),
    answer: z.object({ choices: z.array(MailKind) }),
  }),
  "notices/choose": operation({
    method: "post",
    summary: "Turn a kind of mail on or off for oneself",
    input: z.object({
      kind: z.enum(optional as [MailChoice, ...MailChoice[]], "These mails can't be turned off"),
      wanted: z.boolean(),
    }),
    answer: Message,
  }),
};
