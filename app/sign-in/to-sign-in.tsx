import { Button, Stack, Text } from "@mantine/core";
import { Link, useNavigate } from "react-router";
import { call } from "../api.ts";
import { leaveSession, useSession } from "../session.ts";

/** Leads to the sign-in. If an account is signed in, perhaps the wrong one, it names it and signs it out first. */
export function ToSignIn() {
  const { isAuthenticated, email } = useSession();
  const navigate = useNavigate();
  if (!isAuthenticated)
    return (
      <Button component={Link} to="/login" size="md">
        Sign in
      </Button>
    );
  const leave = () => {
    // Not awaited: the server may have ended the session already, when the password was set.
    void call("auth/logout").catch(() => undefined);
    leaveSession();
    void navigate("/login");
  };
  return (
    <Stack gap="xs">
      <Text style={{ overflowWrap: "anywhere" }}>
        This browser is signed in as {email ?? "another account"}. Sign out here first to sign in with another account
        or a new password.
      </Text>
      <Button size="md" onClick={leave}>
        Sign out, and sign in again
      </Button>
    </Stack>
  );
}
