import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, it } from "vitest";
import { OrganizationSelect } from "./organization-select.tsx";

it("Two customers that were invited at one e-mail address are both offered", () => {
  const queries = new QueryClient();
  const users = ["Kaveri Mills", "Kaveri Textiles"].map((organization_name, index) => ({
    id: String(index),
    email: "asha@example.in",
    organization_name,
    status: "invited",
  }));
  const page = { users, nextCursor: null, total: 2, totalIsCapped: false };
  queries.setQueryData(["admin/getUserByAdmin", { role: "user" }, {}], { pages: [page], pageParams: [""] });
  const select = createElement(OrganizationSelect, {
    kind: "user",
    label: "The customer that stays",
    value: null,
    onChange: () => {},
  });
  const shown = renderToString(
    createElement(QueryClientProvider, { client: queries }, createElement(MantineProvider, null, select)),
  );
  expect(shown).toContain("The customer that stays");
});
