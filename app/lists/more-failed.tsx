import { Box } from "@mantine/core";
import { ListFailed } from "./list-state.tsx";
import { loading, type More } from "./load-more.tsx";

/** In the place of `LoadMore` after it failed, where whoever pressed it looks: the first rows may be far above. */
export const MoreFailed = ({ more, message }: { more: More; message: string }) => (
  <Box mt="lg">
    <ListFailed message={message} onRetry={more.load} {...loading(more)} />
  </Box>
);
