import { Button, type ButtonProps } from "@mantine/core";

/**
 * A button that has nothing to do now and then, as Save has once all is saved. It looks disabled then, and is told to be,
 * but keeps the focus of whoever has just pressed it: a disabled one would lose it to the page's beginning.
 */
export function ReadyButton({
  isReady,
  onClick,
  ...button
}: ButtonProps & { isReady: boolean; type?: "submit"; onClick?: () => void }) {
  return (
    <Button
      {...button}
      {...(!isReady && { "data-disabled": true, "aria-disabled": true })}
      onClick={(event) => (isReady ? onClick?.() : event.preventDefault())}
    />
  );
}
