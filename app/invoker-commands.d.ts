import "react";

// HTML's invoker commands: React passes them on but has no types for them yet.
declare module "react" {
  interface ButtonHTMLAttributes<T> {
    command?: "show-modal" | "close";
    commandfor?: string;
  }
}
