# MPI: one device per rank. The library is loaded when ranks are requested, so the program also
# starts on machines without it.
set(MPI_CXX_SKIP_MPICXX TRUE)
find_package(MPI QUIET COMPONENTS CXX)
if(MPI_CXX_FOUND)
  add_library(camber-mpi MODULE harness/groups/mpi_transport.cpp)
  set_target_properties(camber-mpi PROPERTIES PREFIX "")
  target_link_libraries(camber-mpi PRIVATE camber-dependencies MPI::MPI_CXX)
else()
  message(STATUS "No MPI was found: camber is built without ranks")
endif()
