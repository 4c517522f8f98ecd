import { Modal, type ModalProps } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { limits } from "../../contract/limits.ts";

/** A dialog over the screen; on a phone it is the screen. A press beside it, as it happens, takes nothing away that was typed. */
export function Dialog({ closeButtonProps, ...props }: ModalProps) {
  const phone = useMediaQuery(`(max-width: ${limits.sidebarCollapsePixels / 16}em)`);
  return (
    <Modal
      closeOnClickOutside={false}
      fullScreen={phone ?? false}
      closeButtonProps={{ "aria-label": "Close", ...closeButtonProps }}
      {...props}
    />
  );
}
