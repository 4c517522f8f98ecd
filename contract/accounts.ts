import { z } from "zod";
import {
  Email,
  FirstName,
  Instant,
  LastName,
  Message,
  NoticeVersion,
  OrganizationName,
  Password,
  phone,
  Role,
} from "./fields.ts";
import { limits } from "./limits.ts";
import { messages } from "./messages.ts";
import { operation } from "./operation.ts";

const Token = z.object({ token: z.string() });
const Secret = z.string().regex(/^[\w-]{20,100}$/, "This link is not complete; please open it again from the e-mail");

/** Sign-in accepts any password length: reporting that a password is too short would only help an attacker guess. */
export const Login = z.object({
  email: Email,
  password: z.string("Please enter your password").min(1, "Please enter your password").max(limits.passwordLengthMax),
});

export const Otp = z.object({
  email: Email,
  otp: z
    .string(messages.invalidOtp)
    .trim()
    .regex(/^\d{6}$/, messages.invalidOtp),
});

export const Registration = z
  .object({
    firstName: FirstName,
    lastName: LastName,
    email: Email,
    organizationName: OrganizationName,
    phoneNo: phone(limits.phoneLengthMin, messages.phoneExample),
    password: Password,
    confirmPassword: z.string(messages.passwordsDiffer),
    noticeVersion: NoticeVersion,
  })
  .refine((form) => form.password === form.confirmPassword, {
    path: ["confirmPassword"],
    message: messages.passwordsDiffer,
  });

const newAndConfirmed = { newPassword: Password, confirmPassword: z.string(messages.newPasswordsDiffer) };
const confirmsNew = (form: { newPassword: string; confirmPassword: string }) =>
  form.newPassword === form.confirmPassword;
const newPasswordsDiffer = { path: ["confirmPassword"], message: messages.newPasswordsDiffer };

export const PasswordReset = z.object({ token: Secret, ...newAndConfirmed }).refine(confirmsNew, newPasswordsDiffer);

export const PasswordChange = z
  .object({
    currentPassword: z.string().min(1, "Please enter your current password").max(limits.passwordLengthMax),
    ...newAndConfirmed,
  })
  .refine(confirmsNew, newPasswordsDiffer);

export const InviteAcceptance = z
  .object({
    token: Secret,
    password: Password,
    confirmPassword: z.string(messages.passwordsDiffer),
    /** Whether estimates requested earlier with this e-mail address pass to the organisation. */
    claimQuotes: z.boolean().default(false),
    noticeVersion: NoticeVersion,
  })
  .refine((form) => form.password === form.confirmPassword, {
    path: ["confirmPassword"],
    message: messages.passwordsDiffer,
  });

/** The details of an invitation that the holder of the mailed link sees. */
export const Invitation = z.object({
  organizationName: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  /** Null when the inviter has left since. */
  invitedBy: z.object({ name: z.string(), organizationName: z.string() }).nullable(),
  /** How many estimates were requested with this e-mail address and belong to no organisation yet. */
  estimates: z.number().int(),
});
export type Invitation = z.infer<typeof Invitation>;

export const Profile = z.object({
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phoneNo: z.string(),
  phone: z.string(),
  organizationName: z.string(),
  role: Role,
});
export type Profile = z.infer<typeof Profile>;

/** The payload of a session token; the browser reads the role from it. */
export const SessionClaims = z.object({
  typ: z.literal("session"),
  role: Role,
  email: z.string(),
  sub: z.uuid(),
  sid: z.uuid(),
  exp: z.number(),
});
export type SessionClaims = z.infer<typeof SessionClaims>;

/** A sign-in that is still valid. */
export const Session = z.object({
  id: z.uuid(),
  /** Whether this is the session making the request. */
  current: z.boolean(),
  /** Browser and system, as far as they can be recognised: "Firefox on Windows". */
  device: z.string(),
  /** Network address at sign-in. */
  address: z.string(),
  created_at: Instant,
  expires_at: Instant,
});
export type Session = z.infer<typeof Session>;

const Nothing = z.object({});

export const accountOperations = {
  "generate-token": operation({
    method: "get",
    summary: "A short-lived token for the public and sign-in calls",
    input: Nothing,
    answer: Token,
  }),
  "auth/register": operation({
    method: "post",
    summary: "Register a customer organization and its first person",
    input: Registration,
    answer: Message,
    status: 201,
  }),
  "auth/login": operation({
    method: "post",
    summary: "Check a password and mail a one-time code",
    input: Login,
    answer: Message,
  }),
  "auth/verify-otp": operation({
    method: "post",
    summary: "Exchange the mailed code for a session token",
    input: Otp,
    answer: Token,
  }),
  "auth/forgot-password": operation({
    method: "post",
    summary: "Mail a link that sets a new password",
    input: z.object({ email: Email }),
    answer: Message,
  }),
  "auth/reset-password": operation({
    method: "post",
    summary: "Set a new password with the mailed link",
    input: PasswordReset,
    answer: Message,
  }),
  "auth/invitation": operation({
    method: "post",
    summary: "Who invites to which organization, for the holder of the mailed link",
    input: z.object({ token: Secret }),
    answer: z.object({ invitation: Invitation }),
  }),
  "auth/accept-invite": operation({
    method: "post",
    summary: "Accept an invitation with a first password, and choose whether earlier estimates come along",
    input: InviteAcceptance,
    answer: Message,
  }),
  "auth/confirm-email": operation({
    method: "post",
    summary: "Confirm a corrected e-mail address with the link mailed to it; every session of the person ends",
    input: z.object({ token: Secret }),
    answer: Message,
  }),
  "auth/logout": operation({
    method: "post",
    summary: "Revoke this session on the server",
    input: Nothing,
    answer: Message,
  }),
  "auth/change-password": operation({
    method: "post",
    summary: "Change one's own password and end the other sessions",
    input: PasswordChange,
    answer: Message,
  }),
  "user/sessions": operation({
    method: "get",
    summary: "One's own sessions, newest first",
    input: Nothing,
    answer: z.object({ sessions: z.array(Session) }),
  }),
  "auth/end-session": operation({
    method: "post",
    summary: "Sign out one of one's own sessions",
    input: z.object({ id: z.uuid() }),
    answer: Message,
  }),
  "auth/logout-everywhere": operation({
    method: "post",
    summary: "Sign out all of one's own sessions, this one too",
    input: Nothing,
    answer: Message,
  }),
  "user/me": operation({
    method: "get",
    summary: "The signed-in person's profile",
    input: Nothing,
    answer: z.object({ user: Profile }),
  }),
};
