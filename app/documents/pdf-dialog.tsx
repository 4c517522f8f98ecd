import { Alert, Button, Center, Group, Loader, Stack, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconDownload, IconExternalLink } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Dialog } from "../components/dialog.tsx";
import { messages } from "../../contract/messages.ts";
import type { OperationName } from "../../contract/operations.ts";
import { type Area, areaOf } from "../../contract/roles.ts";
import { call } from "../api.ts";
import { useSession } from "../session.ts";
import type { ViewedPdf } from "./pdf-viewer.tsx";
import "../styles-portal.css";

const addressOperations = {
  user: "user/get-signed-url",
  partner: "partner/get-signed-url",
  admin: "admin/getSignedUrlByAdmin",
} as const satisfies Record<Area, OperationName>;

/** Shows a PDF that the reader's role may see; full screen on phones, where it opens in the phone's own viewer. */
export default function PdfDialog({ pdf, onClose }: { pdf: ViewedPdf | null; onClose: () => void }) {
  return (
    <Dialog opened={pdf !== null} onClose={onClose} title={pdf?.title} size="70rem">
      {pdf && (pdf.fileName ? <Loaded {...pdf} fileName={pdf.fileName} /> : <Text>{messages.noPdfFile}</Text>)}
    </Dialog>
  );
}

function Loaded({ fileName, title, failure, findAddress }: ViewedPdf & { fileName: string }) {
  const { role } = useSession();
  // In a frame, touch devices show only a PDF's first page, or nothing.
  const touch = useMediaQuery("(pointer: coarse)", false, { getInitialValueInEffect: false });
  const operation = addressOperations[areaOf(role ?? "user")];
  const file = useQuery({
    queryKey: [operation, fileName],
    queryFn: async ({ signal }) => {
      const found = findAddress ? await findAddress(signal) : (await call(operation, { fileName }, signal)).signedUrl;
      const answer = await fetch(ownAddress(found), { signal });
      if (!answer.ok) throw new Error(failure);
      return answer.blob();
    },
    gcTime: 0,
    // A refetch would make a new blob address, and the frame would go back to the first page.
    staleTime: Infinity,
  });
  const address = useBlobAddress(file.data);
  if (file.isLoadingError)
    return (
      <Alert color="red" role="alert">
        <Group justify="space-between">
          <Text>{failure}</Text>
          <Button variant="default" onClick={() => void file.refetch()}>
            Try again
          </Button>
        </Group>
      </Alert>
    );
  if (!address)
    return (
      <Center h="60vh">
        <Loader aria-label="Loading the PDF" />
      </Center>
    );
  return (
    <Stack gap="sm">
      <Group gap="sm" grow={touch}>
        <Button
          component="a"
          size="md"
          href={address}
          download={`${title.replaceAll("/", "-")}.pdf`}
          leftSection={<IconDownload size={18} aria-hidden />}
        >
          Download
        </Button>
        <Button
          component="a"
          size="md"
          variant="default"
          href={address}
          target="_blank"
          rel="noopener"
          leftSection={<IconExternalLink size={18} aria-hidden />}
        >
          Open in a new tab
        </Button>
      </Group>
      {navigator.pdfViewerEnabled && !touch ? (
        // oxlint-disable-next-line react/iframe-missing-sandbox -- a sandboxed frame may not use the browser's PDF viewer; the bytes are our own
        <iframe src={address} title={title} style={{ width: "100%", height: "72vh", border: 0, borderRadius: 8 }} />
      ) : (
        <Text c="var(--site-muted)">This device shows PDFs in a program of its own: open or download it above.</Text>
      )}
    </Stack>
  );
}

/** The path of the folder store's address: its host may differ from the name by which the visitor reached the site. */
function ownAddress(signedUrl: string): string {
  const { pathname, search } = new URL(signedUrl);
  return pathname.startsWith("/api/files/") ? pathname + search : signedUrl;
}

/** An object URL for the bytes, revoked when they are no longer shown. */
function useBlobAddress(blob: Blob | undefined): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!blob) return undefined;
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return address;
}
