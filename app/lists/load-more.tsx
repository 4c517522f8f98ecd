import { Button, Center } from "@mantine/core";

/** The way to the next page of a list: nothing where there is none. */
export function LoadMore({
  more,
  label = "Load more",
}: {
  more: { load: () => void; loading: boolean } | undefined;
  label?: string;
}) {
  if (!more) return null;
  return (
    <Center mt="lg" className="screen-only">
      <Button variant="default" size="md" onClick={more.load} loading={more.loading}>
        {label}
      </Button>
    </Center>
  );
}
