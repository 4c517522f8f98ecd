import { Box, Burger, Button, Container, Drawer, Group, NavLink, Skeleton, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, NavLink as RouterLink, useLocation } from "react-router";
import { useSession } from "../session.ts";
import { Logo } from "./logo.tsx";
import classes from "./site-header.module.css";
import { siteLinks } from "./site-links.ts";
import { useHydrated } from "./use-hydrated.ts";
import { UserMenu } from "./user-menu.tsx";

export function SiteHeader() {
  const [opened, menu] = useDisclosure(false);
  const { pathname } = useLocation();
  return (
    <Box component="header" className={classes.header}>
      <Container size="lg" h="100%">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Link to="/" aria-label="Prahari, home page" className={classes.plain}>
            <Logo />
          </Link>
          <Group component="nav" aria-label="Main" gap={4} visibleFrom="sm">
            {siteLinks.map(({ to, label }) => (
              <RouterLink key={to} to={to} end className={classes.link ?? ""}>
                {label}
              </RouterLink>
            ))}
          </Group>
          <Group gap="sm" wrap="nowrap">
            <SignInOrMenu />
            <Burger hiddenFrom="sm" opened={opened} onClick={menu.toggle} aria-label="Menu" aria-expanded={opened} />
          </Group>
        </Group>
      </Container>
      <Drawer opened={opened} onClose={menu.close} position="right" size="xs" title="Menu" hiddenFrom="sm">
        <Stack gap={4} component="nav" aria-label="Main">
          {siteLinks.map(({ to, label }) => (
            <NavLink key={to} component={Link} to={to} label={label} active={pathname === to} onClick={menu.close} />
          ))}
        </Stack>
      </Drawer>
    </Box>
  );
}

/** Keeps its room until the browser knows who is signed in, so that nothing jumps. */
function SignInOrMenu() {
  const hydrated = useHydrated();
  const { isAuthenticated } = useSession();
  if (!hydrated || !isAuthenticated)
    return (
      <Button component={Link} to="/login" size="sm" miw={92} mih={40}>
        Login
      </Button>
    );
  return <UserMenu fallback={<Skeleton h={40} w={92} />} />;
}
