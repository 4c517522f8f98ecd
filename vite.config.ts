import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";

const server = "http://127.0.0.1:3001";

// What every page needs is one file each, rather than thirty small ones.
const groups = [
  { name: "platform", test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/ },
  {
    name: "site",
    test: /[\\/](app[\\/](root|session|toast)|app[\\/](components[\\/]logo|public[\\/](frame[\\/](site-|action-bar|route-failure)|reveal))|contract[\\/](brand|messages|limits))/,
  },
];

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [reactRouter()],
  // The rendering of pages is whole in itself: what runs needs no packages of the site, and loads only what is used of them.
  ...(command === "build" && { ssr: { noExternal: true } }),
  environments: { ssr: { build: { chunkSizeWarningLimit: 2000 } } },
  build: {
    target: "es2023",
    assetsInlineLimit: 0,
    ...(!isSsrBuild && { rolldownOptions: { output: { codeSplitting: { groups } } } }),
  },
  server: {
    port: 3000,
    strictPort: true,
    proxy: Object.fromEntries(
      ["/api", "/dev", "/sandbox", "/health", "/readyz", "/metrics"].map((path) => [path, server]),
    ),
  },
}));
