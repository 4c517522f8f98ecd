import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from "@mantine/core";
import { limits } from "../contract/limits.ts";

// Shades around the brand's #4084f0 (index 5); white text on index 7 and darker has a contrast of at least 4.5:1.
const brandBlue: MantineColorsTuple = [
  "#edf4ff",
  "#d9e7fe",
  "#b0cdfb",
  "#85b1f7",
  "#5f97f3",
  "#4084f0",
  "#2c6fdd",
  "#1d5bc4",
  "#174a9f",
  "#123a7c",
];

// Dark surfaces with a trace of the brand's blue; they match the --site-* variables of styles.css.
const night: MantineColorsTuple = [
  "#eef2f9",
  "#c6cfdd",
  "#a9b4c6",
  "#7f8ba0",
  "#3a4459",
  "#2c3444",
  "#202838",
  "#171d29",
  "#111722",
  "#0b0f17",
];

/** Lets a word longer than a line break in dialogs and panels, such as a name typed without spaces. */
const breaking = { title: { overflowWrap: "anywhere" }, body: { overflowWrap: "break-word" } } as const;

/** Scrolls a focused control clear of the title, which stays in view. */
const belowTitle = { content: { scrollPaddingBlockStart: "6rem" } } as const;

export const theme = createTheme({
  colors: { brand: brandBlue, dark: night },
  primaryColor: "brand",
  primaryShade: 7,
  autoContrast: true,
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
  headings: { fontFamily: "inherit", fontWeight: "680" },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  // One pixel above the width at which the side navigation collapses.
  breakpoints: { sm: `${(limits.sidebarCollapsePixels + 1) / 16}em` },
  components: {
    // Their header is a dialog's, not the page's banner.
    Modal: {
      defaultProps: { attributes: { header: { role: "presentation" } }, radius: "lg", padding: "lg" },
      styles: { ...belowTitle, title: { fontSize: 20, fontWeight: 680, ...breaking.title }, body: breaking.body },
    },
    Drawer: {
      defaultProps: { attributes: { header: { role: "presentation" } } },
      styles: { ...belowTitle, ...breaking },
    },
    TextInput: { defaultProps: { size: "md" } },
    PasswordInput: { defaultProps: { size: "md", visibilityToggleFocusable: true } },
    NumberInput: { defaultProps: { size: "md" } },
    Textarea: { defaultProps: { size: "md" } },
    Select: { defaultProps: { size: "md" } },
    NativeSelect: { defaultProps: { size: "md" } },
    FileInput: { defaultProps: { size: "md" } },
    RadioGroup: { defaultProps: { size: "md" } },
    CheckboxGroup: { defaultProps: { size: "md" } },
  },
});

/** Muted text with a contrast of at least 4.5:1 on every surface. */
export const quietColours: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#4a5568",
    "--mantine-color-error": "#c22727",
    "--mantine-color-placeholder": "#667085",
  },
  dark: {
    "--mantine-color-dimmed": "#a9b4c6",
    "--mantine-color-error": "#ff9d97",
    "--mantine-color-placeholder": "#98a3b6",
  },
});
