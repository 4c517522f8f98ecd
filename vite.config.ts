import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";

const server = "http://127.0.0.1:3001";

export default defineConfig({
  plugins: [reactRouter()],
  build: { target: "es2023", assetsInlineLimit: 0 },
  server: {
    port: 3000,
    strictPort: true,
    proxy: Object.fromEntries(["/api", "/dev", "/sandbox", "/health"].map((path) => [path, server])),
  },
});
