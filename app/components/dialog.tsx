import { Modal, type ModalProps } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { limits } from "../../contract/limits.ts";
import { useEscape } from "./use-escape.ts";

/** A dialog; on a phone it fills the screen. A click outside does not close it, so that no input is lost. */
export function Dialog({ closeButtonProps, ...props }: Omit<ModalProps, "closeOnEscape">) {
  const phone = useMediaQuery(`(max-width: ${limits.sidebarCollapsePixels / 16}em)`);
  useEscape(props.opened, props.onClose);
  return (
    <Modal
      closeOnEscape={false}
      closeOnClickOutside={false}
      fullScreen={phone ?? false}
      closeButtonProps={{ "aria-label": "Close", ...closeButtonProps }}
      {...props}
    />
  );
}
