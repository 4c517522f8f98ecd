import { Alert, Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { ApiError } from "../api.ts";

export const noneOfYours = "This is not one of your customers.";
export const noSuchCustomer = "There is no customer with this e-mail address.";
export const noSuchPartner = "There is no partner with this e-mail address.";

/** Whether an e-mail in the address names no customer that the reader may see: a retry would be refused again. */
export const isNoCustomer = (error: Error) => error instanceof ApiError && [404, 422].includes(error.status);

/** Shown in place of a customer or partner that the reader can't see: the reason, and a link to the list. */
export const CustomerRefused = ({
  list,
  of = "customer",
  children,
}: {
  list: string;
  of?: "customer" | "partner";
  children: ReactNode;
}) => (
  <Alert color="orange" variant="light" role="alert">
    {children}{" "}
    <Anchor component={Link} to={list} style={{ textDecoration: "underline" }}>
      Open the {of} list
    </Anchor>
  </Alert>
);
