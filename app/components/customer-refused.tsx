import { Alert, Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { ApiError } from "../api.ts";

export const noneOfYours = "This is not one of your customers.";
export const noSuchCustomer = "There is no customer with this e-mail address.";
export const noSuchPartner = "There is no partner with this e-mail address.";

/** Whether an address names no customer whom its reader may see: trying again would be refused again. */
export const isNoCustomer = (error: Error) => error instanceof ApiError && [404, 422].includes(error.status);

/** In the place of what a screen would show of one customer, or of one partner: why it does not, and the way on to all of them. */
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
