import { useEffect, useState } from "react";
import { Navigate, useLocation, useSearchParams } from "react-router";
import { toast } from "../toast.ts";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import type { Role } from "../../contract/roles.ts";
import { shownLater } from "../components/later.tsx";
import { useHydrated } from "../components/use-hydrated.ts";
import { pageMeta } from "../content/page-meta.ts";
import { leaveSession, dashboardOf, useSession } from "../session.ts";
import { type Credentials, CredentialsForm } from "./credentials-form.tsx";
import type { OtpFormProps } from "./otp-form.tsx";
import type { RegistrationFormProps } from "./registration-form.tsx";
import { SignInPanel } from "./sign-in-panel.tsx";
import classes from "./sign-in.module.css";

// The page opens with the sign-in alone; the later steps bring Mantine and the schemas with them.
const OtpForm = shownLater<OtpFormProps>(
  () => import("./otp-form.tsx"),
  () => <div className={classes.waiting} style={{ height: 180 }} />,
);
const RegistrationForm = shownLater<RegistrationFormProps>(
  () => import("./registration-form.tsx"),
  () => <div className={classes.waiting} style={{ height: 240 }} />,
);

export const meta = () =>
  pageMeta("/login", `Sign in – ${brand.name}`, `Sign in to ${brand.name} or register your organization.`);

/** One panel that toggles between login and registration; after the password it asks for the code. */
export default function Login() {
  const [search, setSearch] = useSearchParams();
  const [credentials, setCredentials] = useState<Credentials | null>(null);
  const [email, setEmail] = useState("");
  const { isAuthenticated, role } = useSession();
  const hydrated = useHydrated();
  const { state } = useLocation() as { state: unknown };
  // What was typed to register stays while the user looks at signing in.
  const [told, setTold] = useState(state);
  const roleUnknown = isAuthenticated && !role;
  useEffect(() => {
    if (!roleUnknown) return;
    leaveSession();
    toast.error(messages.unknownRole);
  }, [roleUnknown]);
  const registering = hydrated && search.has("register");
  const toggle = (register: boolean) =>
    setSearch((current) => {
      if (register) current.set("register", "");
      else current.delete("register");
      return current;
    });

  if (isAuthenticated && role) return <Navigate to={placeAfterSignIn(search.get("next"), role)} replace />;
  if (registering)
    return (
      <SignInPanel
        title="Create your account"
        hint="Quotes you asked for with the same e-mail address will be waiting for you."
      >
        <RegistrationForm
          left={told}
          onTyped={(facts) => setTold({ facts })}
          onRegistered={(registered) => {
            setTold(null);
            setEmail(registered);
            toggle(false);
          }}
        />
        <p className={classes.other}>
          Already registered?{" "}
          <button type="button" className={classes.link} onClick={() => toggle(false)}>
            Sign in
          </button>
        </p>
      </SignInPanel>
    );
  if (credentials)
    return (
      <SignInPanel title="Verify OTP" hint={<>We have sent a 6-digit code to {credentials.email}.</>}>
        <OtpForm credentials={credentials} onBack={() => setCredentials(null)} />
      </SignInPanel>
    );
  return (
    <SignInPanel title="Welcome back" hint="Sign in with your password and the code we send you.">
      <CredentialsForm
        key={email}
        email={email}
        onAccepted={(accepted) => {
          setEmail(accepted.email);
          setCredentials(accepted);
        }}
      />
      <p className={classes.other}>
        New here?{" "}
        <button type="button" className={classes.link} onClick={() => toggle(true)}>
          Register
        </button>
      </p>
    </SignInPanel>
  );
}

/** The path that the visitor came from, if it is on this site; otherwise the role's dashboard. */
function placeAfterSignIn(next: string | null, role: Role): string {
  return next && /^(?!.*\/\/)\/[\w\-/?=&%.+*@'!~()]*$/.test(next) ? next : dashboardOf(role);
}
