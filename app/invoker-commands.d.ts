import "react";

// Invoker commands of HTML, which React passes on but does not know the types of yet.
declare module "react" {
  interface ButtonHTMLAttributes<T> {
    command?: "show-modal" | "close";
    commandfor?: string;
  }
}
