import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { keepFocus } from "./keep-focus.ts";

keepFocus();
startTransition(() => {
  hydrateRoot(document, <HydratedRouter />);
});
