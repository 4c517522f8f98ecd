import { Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { limits } from "../../../contract/limits.ts";
import { EmailCorrection, type Member } from "../../../contract/staff-people.ts";
import { ApiError, call } from "../../api.ts";
import { fieldErrors, showServerErrors, submitting } from "../../forms/form-errors.ts";
import { useKeptForm } from "../../forms/use-kept-form.ts";
import { useAddress } from "../../lists/use-address.ts";
import { toast } from "../../toast.ts";
import { refreshPeople } from "./refresh-people.ts";

const empty = { email: "" };

/** Gives a person another e-mail address, which the owner of that address confirms. */
export function PersonEmail({ member }: { member: Member }) {
  const { id, new_email } = member;
  const queries = useQueryClient();
  const [address, changeAddress] = useAddress();
  const isInvited = member.status === "invited" || member.status === "expired";
  const check = fieldErrors(EmailCorrection);
  const validate = (typed: typeof empty) => check({ id, ...typed });
  const { form, leave } = useKeptForm(`email of ${id}`, empty, () => {}, validate);
  const correct = useMutation({
    mutationFn: ({ email }: typeof form.values) => call("admin/people/correct-email", { id, email }),
    onSuccess: ({ message }, { email }) => {
      toast.success(message);
      // The address names the open panel by e-mail: it follows the new one.
      if (isInvited && address.get("open") === member.email) changeAddress({ open: email.trim().toLowerCase() });
      form.setValues(empty);
      leave();
    },
    onError: (error) => {
      if (error instanceof ApiError && error.fields["email"]) showServerErrors(form, error);
      else toast.error("The address could not be corrected.", { description: error.message });
    },
    onSettled: () => refreshPeople(queries),
  });
  const keep = useMutation({
    mutationFn: () => call("admin/people/keep-email", { id }),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(error.message),
    onSettled: () => refreshPeople(queries),
  });
  return (
    <Stack gap="md">
      {new_email && (
        <Alert color="yellow" role="note">
          <Group justify="space-between" gap="sm">
            <Text style={{ overflowWrap: "anywhere" }}>Waits to be confirmed by {new_email}.</Text>
            <Button variant="default" loading={keep.isPending} onClick={() => keep.mutate()}>
              Keep {member.email}
            </Button>
          </Group>
        </Alert>
      )}
      <form noValidate aria-label="E-mail address" onSubmit={submitting(form, (values) => correct.mutate(values))}>
        <Group align="flex-end" gap="sm">
          <TextInput
            label="Correct e-mail address"
            description={
              isInvited
                ? "The invitation is sent again, to this address."
                : `Its owner confirms by a link that works for ${limits.confirmEmailHours} hours; until then nothing changes. We tell ${member.email}.`
            }
            type="email"
            autoComplete="off"
            style={{ flex: "1 1 260px" }}
            {...form.getInputProps("email")}
          />
          <Button type="submit" variant="default" size="md" loading={correct.isPending}>
            {isInvited ? "Send the invitation there" : "Ask to confirm"}
          </Button>
        </Group>
      </form>
    </Stack>
  );
}
