import { Box } from "@mantine/core";
import { ListFailed } from "./list-state.tsx";
import { loading, type More } from "./load-more.tsx";

/** Replaces `LoadMore` after a failure, so that the error is near the pressed button, not far above. */
export const MoreFailed = ({ more, message }: { more: More; message: string }) => (
  <Box mt="lg">
    <ListFailed message={message} onRetry={more.load} {...loading(more)} />
  </Box>
);
