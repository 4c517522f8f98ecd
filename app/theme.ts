import { createTheme, type MantineColorsTuple } from "@mantine/core";

// Shades around the brand's #4084f0 (index 5); index 7 and darker carry white text at 4.5:1 and more.
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

export const theme = createTheme({
  colors: { brand: brandBlue },
  primaryColor: "brand",
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
  headings: { fontFamily: "inherit", fontWeight: "680" },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    TextInput: { defaultProps: { size: "md" } },
    PasswordInput: { defaultProps: { size: "md" } },
    NumberInput: { defaultProps: { size: "md" } },
    Textarea: { defaultProps: { size: "md" } },
    Select: { defaultProps: { size: "md" } },
  },
});
