@echo off
rem Pulumi starts this file on Windows. It must stay beside the others in its folder.
where /q node
if errorlevel 1 (
  echo Cannot start the plugin pulumi-resource-clouddb: it needs Node.js 20 or later, and there is no node on PATH. Install Node.js, then run the command again. [CDB9001] 1>&2
  exit /b 1
)
node --max-semi-space-size=4 "%~dp0start.cjs" %*
