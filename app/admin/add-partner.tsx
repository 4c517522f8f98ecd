import { messages } from "../../contract/messages.ts";
import { AddPersonModal } from "../people/add-person-modal.ts";

const texts = {
  title: "Add Partner",
  submit: "Add Partner",
  added: messages.partnerAdded,
  notAdded: messages.partnerNotAdded,
  failed: messages.addPartnerFailed,
};

export function AddPartner({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <AddPersonModal
      opened={opened}
      onClose={onClose}
      operation="admin/createPartnerByAdmin"
      texts={texts}
      withOrganization
      reloads={["admin/getUserByAdmin"]}
    />
  );
}
