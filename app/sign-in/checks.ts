import { Login } from "../../contract/accounts.ts";
import { fieldErrors } from "../forms/form-errors.ts";

/** The first message of each field. Loaded when the form is sent: the page itself does without the schemas. */
export const loginErrors = fieldErrors(Login);
