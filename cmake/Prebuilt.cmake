# Installs what `cmake --install` of another build tree installs. A Python wheel of a tree that is
# already built needs no second compilation:
#     pip wheel . -Ccmake.define.CAMBER_PREBUILT=$PWD/build/host
if(NOT EXISTS ${CAMBER_PREBUILT}/complete/camber)
  message(FATAL_ERROR "CAMBER_PREBUILT is ${CAMBER_PREBUILT}, which has no complete/camber: "
                      "build it with ./camber --build, or leave CAMBER_PREBUILT out")
endif()
add_custom_target(camber-complete)  # the target that pyproject.toml builds
install(CODE "
  execute_process(COMMAND \"${CMAKE_COMMAND}\" --install \"${CAMBER_PREBUILT}\"
                    --prefix \"\${CMAKE_INSTALL_PREFIX}\" --strip
                  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)")
