import { Alert, type AlertProps } from "@mantine/core";

/** What the server refused: in a low window the sentence may be above or below the visible part of a form. */
export const Refusal = (props: AlertProps) => <Alert ref={intoSight} color="red" role="alert" {...props} />;

/** The `ref` by which it comes into sight. Nothing moves where it is seen as it stands. */
export const intoSight = (told: HTMLElement | null) => told?.scrollIntoView({ block: "nearest" });
