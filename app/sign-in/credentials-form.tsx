import { type SubmitEvent, useState } from "react";
import { Link } from "react-router";
import { gone } from "../components/later.tsx";
import { useTypedBefore, waitsForScript } from "../forms/use-typed-before.ts";
import { Field } from "./field.tsx";
import classes from "./sign-in.module.css";

export interface Credentials {
  email: string;
  password: string;
}

/**
 * E-mail and password; the server then mails a code. The code that validates and sends them is loaded on submission, so
 * that the page opens without the schemas and Mantine. Users who come with an e-mail address, as after registering,
 * continue with the password.
 */
export function CredentialsForm({
  email,
  onAccepted,
}: {
  email: string;
  onAccepted: (credentials: Credentials) => void;
}) {
  const [typed, setTyped] = useState<Credentials>({ email, password: "" });
  const [faults, setFaults] = useState<Partial<Credentials>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const typedBefore = useTypedBefore((before) => setTyped((now) => ({ ...now, ...before })));
  const field = (name: keyof Credentials) => ({
    name,
    value: typed[name],
    fault: faults[name],
    onChange: (value: string) => {
      setTyped((now) => ({ ...now, [name]: value }));
      setFaults((now) => ({ ...now, [name]: undefined }));
    },
  });
  const send = async (form: HTMLFormElement) => {
    setSending(true);
    setFailure(null);
    const { faults: found = {}, failure: said = null } = await sendCredentials(typed);
    setSending(false);
    setFaults(found);
    setFailure(said);
    const [wrong] = Object.keys(found);
    if (wrong) form.querySelector<HTMLElement>(`[data-field=${wrong}]`)?.focus();
    else if (said === null) onAccepted(typed);
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!sending) void send(event.currentTarget);
  };
  return (
    <form {...waitsForScript} ref={typedBefore} className={classes.form} onSubmit={submit}>
      {failure && (
        <div role="alert" className={classes.failure}>
          {failure}
        </div>
      )}
      <Field label="Email" type="email" autoComplete="username" {...field("email")} />
      <PasswordField autoFocus={email !== ""} {...field("password")} />
      <Link to="/forgot-password" className={`${classes.link} ${classes.forgot}`}>
        Forgot Password
      </Link>
      <button type="submit" className={classes.submit} data-loading={sending || undefined} disabled={sending}>
        Login
      </button>
    </form>
  );
}

function PasswordField(field: Omit<Parameters<typeof Field>[0], "label" | "type" | "autoComplete">) {
  const [shown, setShown] = useState(false);
  return (
    <Field label="Password" type={shown ? "text" : "password"} autoComplete="current-password" {...field}>
      <button
        type="button"
        className={classes.reveal}
        aria-label="Show or hide the password"
        aria-pressed={shown}
        // Keeps the focus in the field.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => setShown(!shown)}
      >
        <svg viewBox="0 0 256 256" aria-hidden fill="none" stroke="currentColor" strokeWidth="16" strokeLinecap="round">
          {shown ? (
            <path d="M48 40l160 176M154.91 157.6a40 40 0 01-53.82-59.2M135.53 88.71a40 40 0 0132.3 35.53M208.61 169.1C230.41 149.58 240 128 240 128s-32-72-112-72a126 126 0 00-20.68 1.68M74 68.6C33.23 89.24 16 128 16 128s32 72 112 72a118.05 118.05 0 0054-12.6" />
          ) : (
            <path d="M128 56c-80 0-112 72-112 72s32 72 112 72 112-72 112-72-32-72-112-72zM88 128a40 40 0 1080 0a40 40 0 10-80 0" />
          )}
        </svg>
      </button>
    </Field>
  );
}

/** Sends the credentials; gives the errors of fields or of the whole, if any. */
async function sendCredentials(typed: Credentials): Promise<{ faults?: Partial<Credentials>; failure?: string }> {
  const part = await import("./send-credentials.ts").catch(() => null);
  return part ? part.sendCredentials(typed) : { failure: gone };
}
