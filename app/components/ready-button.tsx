import { Button, type ButtonProps } from "@mantine/core";

/**
 * A button that is at times not ready, such as Save when all is saved. It then looks disabled and is announced so, but
 * keeps the focus after a press: a disabled button would lose it to the top of the page.
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
