import { openedLater } from "../components/later.tsx";
import type { ListName } from "../lists/use-list.ts";

export type AddPersonName =
  | "user/create-child-user"
  | "partner/create-child-user"
  | "partner/create-user"
  | "admin/createPartnerByAdmin"
  | "admin/createChildUserByAdmin";

/**
 * The specification's texts for one kind of person. A failure is told once: a refusal in the form, with its reason
 * there or beside the field concerned; a lost connection or a server error in a toast.
 */
export interface AddPersonTexts {
  title: string;
  submit: string;
  added: string;
  notAdded: string;
  failed: string;
}

export interface AddPersonProps {
  opened: boolean;
  onClose: () => void;
  operation: AddPersonName;
  texts: AddPersonTexts;
  withOrganization?: boolean;
  reloads: readonly ListName[];
}

/** Adds a person, who is then invited by e-mail. */
export const AddPersonModal = openedLater<AddPersonProps>(() => import("./add-person-dialog.tsx"), { opened: false });
