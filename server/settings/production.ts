// However the product is started: React's development build, loaded with the pages, renders at half the speed, and half of it
// with half of the other not at all. So this is imported first, before anything that looks at it.
process.env["NODE_ENV"] ??= "production";
