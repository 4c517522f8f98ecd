import { messages } from "../../contract/messages.ts";
import { personOf } from "../access/scope.ts";
import type { Handlers } from "../call.ts";
import { notFound } from "../failures/failure.ts";
import { signPublicToken } from "../protection/tokens.ts";
import { acceptInvite, readInvitation } from "./acceptance.ts";
import { confirmEmail } from "./confirm-email.ts";
import { changePassword, requestPasswordReset, resetPassword } from "./password-change.ts";
import { findProfile } from "./queries.ts";
import { register } from "./registration.ts";
import { endSession, listSessions, signOutEverywhere } from "./sessions.ts";
import { finishSignIn, signOut, startSignIn } from "./sign-in.ts";

export const accountHandlers = {
  "generate-token": async ({ env, now }) => ({ token: await signPublicToken(env.tokenSecret, now()) }),
  "auth/register": async (services, call, form) => {
    await register(services, call, form);
    return { message: messages.registered };
  },
  "auth/login": async (services, call, credentials) => {
    await startSignIn(services, call, credentials);
    return { message: "We have sent a 6-digit code to your e-mail address." };
  },
  "auth/verify-otp": async (services, call, attempt) => ({ token: await finishSignIn(services, call, attempt) }),
  "auth/forgot-password": async (services, call, { email }) => {
    await requestPasswordReset(services, call, email);
    return {
      message: "If there is an account with this e-mail address, we have sent it a link to set a new password.",
    };
  },
  "auth/reset-password": async (services, call, request) => {
    await resetPassword(services, call, request);
    return { message: "Your new password is set. Please sign in." };
  },
  "auth/invitation": async (services, call, { token }) => ({
    invitation: await readInvitation(services, call, token),
  }),
  "auth/accept-invite": async (services, call, request) => {
    await acceptInvite(services, call, request);
    return { message: "Your password is set. Please sign in." };
  },
  "auth/confirm-email": async (services, call, { token }) => {
    await confirmEmail(services, call, token);
    return { message: "Your new e-mail address is confirmed. Please sign in with it." };
  },
  "auth/logout": async (services, { scope }) => {
    await signOut(services, scope);
    return { message: "You are signed out." };
  },
  "auth/change-password": async (services, { scope }, request) => {
    await changePassword(services, scope, request);
    return { message: "Your password is changed. Your other sessions have been signed out." };
  },
  "user/sessions": async (services, { scope }) => ({ sessions: await listSessions(services, scope) }),
  "auth/end-session": async (services, { scope }, { id }) => {
    await endSession(services, scope, id);
    return { message: "The session is signed out." };
  },
  "auth/logout-everywhere": async (services, { scope }) => {
    await signOutEverywhere(services, scope);
    return { message: "You are signed out everywhere." };
  },
  "user/me": async ({ database }, { scope }) => {
    const profile = await findProfile(database, personOf(scope));
    if (!profile) throw notFound("Your account");
    return { user: { ...profile, phoneNo: profile.phone } };
  },
} satisfies Partial<Handlers>;
